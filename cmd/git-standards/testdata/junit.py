"""Reads JUnit's XML from standard input and fails unless it has the structure that CI servers read, with numbers that add up."""
import sys
import xml.etree.ElementTree as tree

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set(),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}
COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def check(element):
    optional = {"file"} if element.tag == "testcase" else set()
    assert element.tag in ATTRIBUTES, f"element {element.tag}"
    assert ATTRIBUTES[element.tag] <= set(element.attrib) <= ATTRIBUTES[element.tag] | optional, element.attrib
    for child in element:
        assert child.tag in CHILDREN.get(element.tag, ()), f"{child.tag} in {element.tag}"
        check(child)
    if element.tag == "testcase":
        assert len(element) <= 1, "a case ends in one way"
    if element.tag in ("testsuites", "testsuite"):
        cases = element.findall(".//testcase")
        assert int(element.get("tests")) == len(cases), "tests"
        for attribute, tag in COUNTED.items():
            assert int(element.get(attribute)) == len(element.findall(f".//{tag}")), attribute
    if element.tag == "testsuites":
        names = [(case.get("classname"), case.get("name")) for case in element.iter("testcase")]
        assert names and len(names) == len(set(names)), "cases of one name, or none"


root = tree.fromstring(sys.stdin.buffer.read())
assert root.tag == "testsuites", root.tag
check(root)
