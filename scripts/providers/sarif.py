#!/usr/bin/env python3
"""sarif.py PATH...: the fact (a boolean) is whether the SARIF 2.1.0 logs hold no result of level error.

  providers:
    - {id: ci.sarif, revision: 1, command: [scripts/providers/sarif.py, build/lint.sarif], time-limit: 10}

A result counts as the level it has, else that of its rule, else "warning", as SARIF says (3.27.10); one that is suppressed, or that says
that nothing is wrong (kind other than "fail"), does not count. A log whose tool did not succeed says nothing about what it did not
look at, so that the answer is "unavailable". Without a log among the inputs nothing is observed. python3's own library is enough.
"""
import json
import sys


class Unusable(Exception):
    pass


def say(result, **more):
    print(json.dumps({"result": result, **more}))
    sys.exit(0)


def level(result, run):
    if result.get("kind", "fail") != "fail":
        return "none"
    if "level" in result:
        return result["level"]
    reference = result.get("rule", {})
    tool, extension = run["tool"], reference.get("toolComponent", {}).get("index", -1)
    rules = (tool["extensions"][extension] if extension >= 0 else tool["driver"]).get("rules", [])
    named, index = result.get("ruleId", reference.get("id")), result.get("ruleIndex", reference.get("index", -1))
    rule = rules[index] if 0 <= index < len(rules) else next((r for r in rules if r.get("id") == named), {})
    return rule.get("defaultConfiguration", {}).get("level", "warning")


def suppressed(result):
    return any(s.get("status", "accepted") == "accepted" for s in result.get("suppressions") or [])


def errors(log):
    if log.get("version") != "2.1.0" or not isinstance(log.get("runs"), list):
        raise Unusable("is no SARIF 2.1.0")
    count = 0
    for run in log["runs"]:
        if any(not i["executionSuccessful"] for i in run.get("invocations", [])):
            raise Unusable("its tool did not succeed")
        if run.get("results") is None:
            raise Unusable("its tool looked at nothing")
        count += sum(level(r, run) == "error" and not suppressed(r) for r in run["results"])
    return count


def main(paths):
    sys.stdin.read()  # the request is not needed
    if not paths:
        say("unavailable", reason="no log was named")
    count, seen = 0, 0
    for path in paths:
        try:
            with open(path, encoding="utf-8-sig") as file:
                count += errors(json.load(file))
            seen += 1
        except FileNotFoundError:
            continue
        except Unusable as why:
            say("unavailable", reason=f"{path}: {why}")
        except (ValueError, LookupError, TypeError, AttributeError) as why:
            say("unavailable", reason=f"{path} cannot be read as SARIF: {why!r}")
    if seen == 0:
        say("no-observation", reason="none of the logs is there")
    say("claim", value=count == 0)


main(sys.argv[1:])
