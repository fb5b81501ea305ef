"""One line of JSON an event."""
import json
import sys


def event(time, level, name, request, out=sys.stderr, **fields):
    out.write(json.dumps({"time": time, "level": level, "event": name, "request": request, **fields}) + "\n")
