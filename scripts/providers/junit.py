#!/usr/bin/env python3
"""junit.py PATH...: the fact (a boolean) is whether every test case in the JUnit XML reports passed.

  providers:
    - {id: ci.tests, revision: 1, command: [scripts/providers/junit.py, build/junit.xml], time-limit: 10}

A case with a failure or an error did not pass; one that was skipped does not count. What a suite counts in its attributes is compared
with the cases that it lists: a report that was cut off says nothing. Without a report among the inputs, or without any case that
ran, nothing is observed. python3's own library is enough; a document type is refused, for it can make a small file very large.
"""
import json
import sys
import xml.etree.ElementTree as tree
from xml.parsers import expat


def say(result, **more):
    print(json.dumps({"result": result, **more}))
    sys.exit(0)


def name(element):
    return element.tag.rsplit("}", 1)[-1]


def has(case, *names):
    return any(name(child) in names for child in case)


def parse(path):
    with open(path, "rb") as file:
        data = file.read()
    first = expat.ParserCreate()

    def refuse(*_):
        raise ValueError("it has a document type")

    first.StartDoctypeDeclHandler = refuse
    first.Parse(data, True)
    return tree.fromstring(data)


def count(root):
    """The cases that ran, and those of them that did not pass."""
    if name(root) not in ("testsuites", "testsuite"):
        raise ValueError(f"it begins with {name(root)}")
    for suite in root.iter():
        if name(suite) != "testsuite":
            continue
        cases = [c for c in suite.iter() if name(c) == "testcase"]
        if int(suite.get("tests", len(cases))) > len(cases):
            raise ValueError("a suite counts more cases than it lists")
        failed = sum(has(c, "failure", "error") for c in cases)
        if int(suite.get("failures", 0)) + int(suite.get("errors", 0)) > 0 and failed == 0:
            raise ValueError("a suite counts failures that no case has")
    cases = [c for c in root.iter() if name(c) == "testcase" and not has(c, "skipped")]
    return len(cases), sum(has(c, "failure", "error") for c in cases)


def main(paths):
    sys.stdin.read()  # the request is not needed
    if not paths:
        say("unavailable", reason="no report was named")
    ran = failed = 0
    for path in paths:
        try:
            more, bad = count(parse(path))
        except FileNotFoundError:
            continue
        except (ValueError, expat.ExpatError, tree.ParseError) as why:
            say("unavailable", reason=f"{path} cannot be read as a JUnit report: {why}")
        ran, failed = ran + more, failed + bad
    if ran == 0:
        say("no-observation", reason="no test case ran")
    say("claim", value=failed == 0)


main(sys.argv[1:])
