#!/usr/bin/env python3
"""Recompute the identity vectors without any of the project's Go code.

    identity_vectors.py            write the computed fields of every vector file
    identity_vectors.py --check    compare them instead; exit 1 and name each difference
    identity_vectors.py --serve    read {"domain","kind","value"} a line, write {"canonical","id"} a line

A vector file is engine/**/testdata/vectors.json: a list of closed records that say what is hashed, in one of three ways:

    "value"  JSON text in any spelling     with "domain" and "kind"
    "bytes"  hex                           a content-file
    "files"  {path: hex}                   a content-snapshot

and what comes out: "canonical" (hex of the encoded record) and "id". doc/identity.md is the text that this follows; it uses
json and hashlib and nothing else, so that an error in the Go code cannot hide here.
"""
import hashlib
import json
import pathlib
import re
import sys

sys.set_int_max_str_digits(0)

SHORT = {"b": "\\u0008", "t": "\\u0009", "n": "\\u000a", "f": "\\u000c", "r": "\\u000d"}


def text(string):
    """json writes five control characters in a short form that the encoding does not have."""
    return re.sub(r"\\(.)", lambda m: SHORT.get(m[1], m[0]), json.dumps(string, ensure_ascii=False))


def encode(value):
    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(encode, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(text(k) + ":" + encode(value[k]) for k in sorted(value)) + "}"
    raise SystemExit(f"{value!r} has no encoding")


def frame(domain, kind, canonical):
    domain, kind_bytes = domain.encode(), kind.encode()
    h = hashlib.sha256(b"coding-standards:identity:v2\0")
    h.update(len(domain).to_bytes(4, "big") + domain)
    h.update(len(kind_bytes).to_bytes(4, "big") + kind_bytes)
    h.update(len(canonical).to_bytes(8, "big") + canonical)
    return f"{kind}:sha256:{h.hexdigest()}"


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def record(vector):
    """The domain, the kind and the record that a vector describes."""
    if "bytes" in vector:
        return "coding-standards:content-file:v1", "content-file", {"sha256": digest(bytes.fromhex(vector["bytes"]))}
    if "files" in vector:
        files = {path: bytes.fromhex(data) for path, data in vector["files"].items()}
        listed = [[path, digest(files[path]), len(files[path])]
                  for path in sorted(files, key=lambda path: path.split("/"))]
        return "coding-standards:content-snapshot:v2", "content-snapshot", {"files": listed}
    return vector["domain"], vector["kind"], json.loads(vector["value"])


def compute(domain, kind, value):
    canonical = encode(value).encode()
    return {"canonical": canonical.hex(), "id": frame(domain, kind, canonical)}


def serve():
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(compute(asked["domain"], asked["kind"], asked["value"])), flush=True)


def main():
    if sys.argv[1:] == ["--serve"]:
        return serve()
    if sys.argv[1:] not in ([], ["--check"]):
        raise SystemExit(__doc__)
    check, differences, count = bool(sys.argv[1:]), 0, 0
    root = pathlib.Path(__file__).resolve().parent.parent
    for path in sorted(root.glob("engine/**/testdata/vectors.json")):
        vectors = json.loads(path.read_text(encoding="utf-8"))
        for vector in vectors:
            count += 1
            for field, now in compute(*record(vector)).items():
                if check and vector.get(field) != now:
                    differences += 1
                    print(f"{path.relative_to(root)}: {vector['name']}: {field} is {vector.get(field)}, python3 computes {now}")
                vector[field] = now
        if not check:
            path.write_text(json.dumps(vectors, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    if differences or not count:
        raise SystemExit(f"{differences} differences in {count} vectors")
    print(f"{count} vectors agree" if check else f"{count} vectors written")


if __name__ == "__main__":
    main()
