"""Expands a JSON-LD document (pyld of Debian's python3-pyld): prints the keys of the document, and the properties that are left, each with its number."""
import json
import sys

from pyld import jsonld


def keys(node, found):
    if isinstance(node, list):
        for one in node:
            keys(one, found)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == "@context":
                continue
            if not key.startswith("@"):
                found[key] = found.get(key, 0) + 1
            if key != "@value":
                keys(value, found)
    return found


with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
expanded = jsonld.expand(document, {"base": "https://corpus.example/moss/croissant.json"})
print(json.dumps({"keys": keys(document, {}), "properties": keys(expanded, {}), "nodes": expanded}))
