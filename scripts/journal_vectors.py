#!/usr/bin/env python3
"""Write and read journals without any of the project's Go code, from doc/journal.md alone.

    journal_vectors.py                      write the computed fields of the vector file
    journal_vectors.py --check              compare them instead; exit 1 and name each difference
    journal_vectors.py --read STREAM FILE…  read journals; a line of JSON for each, as in "reads" below

The vector file is store/journal/testdata/vectors.json. A vector says what a file is made of, and what comes out:

    "stream", "appends"   lists of payloads, one list an Append       gives "file" (hex), and "head"
    "stream", "edits"     what was done to the file of vector "of"    gives "file" (hex), and "reads"

"reads" is {"sequence", "hash", "bytes", "tail"}: the last record, the end of its line, and how many bytes of an incomplete
Append come after it; or {"code"}, and {"sequence", "offset"} where a record is not right.
"""
import json
import pathlib
import re
import sys

from identity_vectors import encode, frame

DOMAIN, MOST = "coding-standards:journal:v1", 64 << 20
VECTORS = pathlib.Path(__file__).resolve().parent.parent / "store/journal/testdata/vectors.json"


def header(stream):
    record = {"format": "git-standards.journal", "stream": stream, "version": 1}
    return encode(record).encode() + b"\n", frame(DOMAIN, "journal", encode(record).encode())


def write(stream, appends):
    data, previous = header(stream)
    sequence = 0
    for payloads in appends:
        first, last = sequence + 1, sequence + len(payloads)
        for payload in payloads:
            sequence += 1
            record = {"first": first, "last": last, "length": len(encode(payload).encode()), "payload": payload,
                      "previous": previous, "sequence": sequence}
            previous = frame(DOMAIN, "journal-record", encode(record).encode())
            data += encode({**record, "hash": previous}).encode() + b"\n"
    return data, {"sequence": sequence, "hash": previous}


class Refused(Exception):
    pass


def parse(line):
    """The record of a line without its line end, proven in itself; None where it is none."""
    try:
        record = json.loads(line.decode("utf-8"))
    except ValueError:
        return None
    if not isinstance(record, dict) or sorted(record) != ["first", "hash", "last", "length", "payload", "previous", "sequence"]:
        return None
    numbers = [record[k] for k in ("first", "last", "length", "sequence")]
    if any(type(n) is not int for n in numbers) or not isinstance(record["payload"], dict):
        return None
    try:
        canonical = encode(record).encode() == line and len(encode(record["payload"]).encode()) == record["length"]
    except (SystemExit, UnicodeEncodeError):  # a float, a lone surrogate
        return None
    if not canonical or not 1 <= record["first"] <= record["sequence"] <= record["last"]:
        return None
    rest = {k: v for k, v in record.items() if k != "hash"}
    return record if frame(DOMAIN, "journal-record", encode(rest).encode()) == record["hash"] else None


def begins(text, first, last, sequence, previous):
    """Whether text is the beginning of a record: the record is built with what text has of each value, and compared.
    previous None: any record of the Append. Returns (whether it is, its last where that is there)."""
    built, found = b'{"first":%d,"hash":"journal-record:sha256:' % first, None
    built += text[len(built):len(built) + 64].ljust(64, b"0")
    if not re.fullmatch(rb"[0-9a-f]{64}", built[-64:]):
        return False, None
    built += b'","last":'
    number = re.match(rb"[1-9][0-9]{0,18}", text[len(built):])
    if number and text.startswith(built):
        built += number[0]
        if len(text) > len(built):
            found = int(number[0])
            if found <= sequence or last and found != last:
                return False, None
            built += b',"length":'
            number = re.match(rb"[1-9][0-9]{0,18}", text[len(built):])
            if number and text.startswith(built):
                built += number[0]
                if len(text) > len(built):
                    built += b',"payload":'
                    payload = text[len(built):len(built) + int(number[0])]
                    if int(number[0]) < 2 or payload[:1] not in (b"", b"{") or re.search(rb"[\x00-\x1f]", payload):
                        return False, None
                    built += payload
                    if len(payload) == int(number[0]):
                        built += b',"previous":"%s","sequence":%d}' % (previous.encode(), sequence + 1) if previous else text[len(built):]
    return built.startswith(text), found


def lost(rest, first, last, sequence, previous):
    """Whether rest, in whose first line there is a zero byte, is one Append of which a disk has not kept all sectors."""
    lines = rest.split(b"\n")
    whole, partial = lines[:-1], lines[-1]
    for number, text in enumerate(whole + ([partial] if partial else [])):
        has_end = number < len(whole)
        if b"\0" not in text and has_end:
            record = parse(text)
            if not record or record["first"] != first or last and record["last"] != last or record["sequence"] <= sequence:
                return False
            sequence, last, previous = record["sequence"], record["last"], None
            continue
        ok, found = begins(text.split(b"\0")[0], first, last, sequence, previous)
        if not ok:
            return False
        last, previous = found or last, None
        behind = text.split(b"\0")[-1]
        if not has_end or not behind:
            continue
        ending = re.fullmatch(rb'(?s:.*)"sequence":([1-9][0-9]{0,17})\}', behind)
        if not ending and not re.fullmatch(rb'[a-z"]*:?[0-9]*\}', behind):
            return False
        if ending:
            if int(ending[1]) <= sequence or last and int(ending[1]) > last:
                return False
            sequence = int(ending[1])
    return True


def read(stream, data):
    first_line, previous = header(stream)
    if not data.startswith(first_line):
        try:
            told = json.loads(data.split(b"\n")[0])
        except ValueError:
            told = None
        newer = isinstance(told, dict) and told.get("format") == "git-standards.journal" and told.get("version", 0) > 1
        return {"code": "JOURNAL.NEWER" if newer else "JOURNAL.FOREIGN"}
    end, head = len(first_line), {"sequence": 0, "hash": previous}
    while True:
        try:
            after, at = append(data, end, head)
        except Refused as refused:
            code, sequence, offset = refused.args
            return {"code": code, "sequence": sequence, "offset": offset}
        if after is None:
            return {**head, "bytes": end, "tail": len(data) - end}
        head, end = after, at


def append(data, start, head):
    """The head and the end of the file after the Append that begins at start; None where it is not whole."""
    at, first, last, sequence, previous = start, head["sequence"] + 1, 0, head["sequence"], head["hash"]
    while True:
        stop = data.find(b"\n", at)
        text = data[at:stop] if stop >= 0 else data[at:]
        wrong = ("JOURNAL.CHANGED", sequence + 1, at)
        if at + len(text) - start > MOST:
            raise Refused(*wrong)
        if b"\0" in text:
            if len(data) - start > MOST or not lost(data[at:], first, last, sequence, previous):
                raise Refused(*wrong)
            return None, at
        if stop < 0:
            ok, _ = begins(text, first, last, sequence, previous)
            if not ok or text.endswith(b'","sequence":%d}' % (sequence + 1)) and text.find(b'"previous":"' + previous.encode()) > 0 and not parse(text):
                raise Refused(*wrong)
            return None, at
        record = parse(text)
        if not record:
            raise Refused(*wrong)
        follows = record["sequence"] == sequence + 1 and record["previous"] == previous
        if not follows or record["first"] != first or last and record["last"] != last:
            raise Refused("JOURNAL.ORDER", sequence + 1, at)
        at, last, sequence, previous = stop + 1, record["last"], record["sequence"], record["hash"]
        if sequence == last:
            return {"sequence": sequence, "hash": previous}, at


def edit(data, edits, files):
    """Line 0 is the header, and line n record n."""
    for what, *how in edits:
        lines = data.split(b"\n")
        if what == "cut":            # bytes off the end
            data = data[:-how[0]]
        elif what == "zero":         # bytes from, to; negative ones count from the end, and 0 is the end
            start, stop = how[0] % len(data), how[1] % len(data) or len(data)
            data = data[:start] + bytes(stop - start) + data[stop:]
        elif what == "add":          # hex at the end
            data += bytes.fromhex(how[0])
        elif what == "replace":      # text of a line, by another
            lines[how[0]] = lines[how[0]].replace(how[1].encode(), how[2].encode(), 1)
            data = b"\n".join(lines)
        elif what == "swap":         # two lines
            lines[how[0]], lines[how[1]] = lines[how[1]], lines[how[0]]
            data = b"\n".join(lines)
        elif what == "drop":         # a line
            data = b"\n".join(lines[:how[0]] + lines[how[0] + 1:])
        elif what == "repeat":       # a line
            data = b"\n".join(lines[:how[0]] + [lines[how[0]]] + lines[how[0]:])
        elif what == "forge":        # a right line at the end, whose append it says to be first to last; n is the one it follows
            record = parse(lines[how[2]]) or {"hash": frame(DOMAIN, "journal", lines[0]), "sequence": 0}
            record = {"first": how[0], "last": how[1], "length": 2, "payload": {}, "previous": record["hash"],
                      "sequence": record["sequence"] + 1}
            record["hash"] = frame(DOMAIN, "journal-record", encode(record).encode())
            data += encode(record).encode() + b"\n"
        elif what == "take":         # at the end, a line of another vector
            data += files[how[0]].split(b"\n")[how[1]] + b"\n"
        else:
            raise SystemExit(f"unknown edit {what}")
    return data


def main():
    if sys.argv[1:2] == ["--read"] and len(sys.argv) > 3:
        for name in sys.argv[3:]:
            print(json.dumps(read(sys.argv[2], pathlib.Path(name).read_bytes())))
        return
    if sys.argv[1:] not in ([], ["--check"]):
        raise SystemExit(__doc__)
    check, differences = bool(sys.argv[1:]), 0
    vectors, files = json.loads(VECTORS.read_text(encoding="utf-8")), {}
    for vector in vectors:
        if "appends" in vector:
            data, head = write(vector["stream"], vector["appends"])
            computed = {"file": data.hex(), "head": head}
            assert read(vector["stream"], data) == {**head, "bytes": len(data), "tail": 0}, vector["name"]
        else:
            data = edit(files[vector["of"]], vector["edits"], files)
            computed = {"file": data.hex(), "reads": read(vector["stream"], data)}
        files[vector["name"]] = data
        for field, now in computed.items():
            if check and vector.get(field) != now:
                differences += 1
                print(f"{vector['name']}: {field} is {vector.get(field)}, python3 computes {now}")
            vector[field] = now
    if not check:
        VECTORS.write_text(json.dumps(vectors, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    if differences or not vectors:
        raise SystemExit(f"{differences} differences in {len(vectors)} vectors")
    print(f"{len(vectors)} vectors agree" if check else f"{len(vectors)} vectors written")


if __name__ == "__main__":
    main()
