"""docs/openapi.json as tests use it: its schemas, and a check of answers against them."""

import json
import pathlib
import re

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
TYPES = {
    "object": lambda v: isinstance(v, dict), "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str), "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None, "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool)}
KNOWN = {"type", "required", "properties", "additionalProperties", "items", "enum", "const", "oneOf", "anyOf", "allOf",
         "$ref", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties",
         "maxProperties", "pattern", "description", "example",
         "examples", "default", "title", "format", "deprecated"}


class Schema:
    """Says what is wrong with a value by a schema; the part of JSON Schema that the document uses, and no more."""

    def __init__(self, document):
        self.document = document

    def faults(self, value, schema, where="body"):
        if schema is True or schema == {}:
            return []
        unknown = set(schema) - KNOWN
        if unknown:
            return [f"{where}: the schema uses {sorted(unknown)}, which this test does not know"]
        if "$ref" in schema:
            return self.faults(value, self.resolve(schema["$ref"]), where)
        faults = self.own_faults(value, schema, where)
        for part in schema.get("allOf", []):
            faults += self.faults(value, part, where)
        for word, right in (("oneOf", lambda n: n == 1), ("anyOf", lambda n: n >= 1)):
            if word in schema:
                tried = [self.faults(value, part, where) for part in schema[word]]
                fitting = sum(not f for f in tried)
                if not right(fitting):
                    nearest = min(tried, key=len)
                    faults.append(f"{where}: fits {fitting} of {word}; nearest: {nearest}")
        return faults

    def resolve(self, name):
        assert name.startswith("#/"), name
        part = self.document
        for key in name[2:].split("/"):
            part = part[key.replace("~1", "/").replace("~0", "~")]
        return part

    def own_faults(self, value, schema, where):
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(TYPES[t](value) for t in types):
            return [f"{where}: {json.dumps(value)[:80]} is not of type {types}"]
        faults = []
        if "enum" in schema and value not in schema["enum"]:
            faults.append(f"{where}: {value!r} is none of {schema['enum']}")
        if "const" in schema and (value != schema["const"] or isinstance(value, bool) != isinstance(schema["const"], bool)):
            faults.append(f"{where}: {value!r} is not {schema['const']!r}")
        if isinstance(value, str):
            faults += self.text_faults(value, schema, where)
        elif isinstance(value, dict):
            faults += self.object_faults(value, schema, where)
        elif isinstance(value, list):
            faults += self.list_faults(value, schema, where)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
                faults.append(f"{where}: {value} is out of range")
        return faults

    @staticmethod
    def text_faults(value, schema, where):
        faults = []
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            faults.append(f"{where}: a text of {len(value)} characters")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            faults.append(f"{where}: {value[:80]!r} does not look like {schema['pattern']}")
        return faults

    def object_faults(self, value, schema, where):
        properties = schema.get("properties", {})
        faults = [f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value]
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            faults.append(f"{where}: {len(value)} properties")
        others = schema.get("additionalProperties", True)
        for key, content in value.items():
            if key in properties:
                faults += self.faults(content, properties[key], f"{where}.{key}")
            elif others is False:
                faults.append(f"{where}: {key} is not documented")
            elif others is not True:
                faults += self.faults(content, others, f"{where}.{key}")
        return faults

    def list_faults(self, value, schema, where):
        faults = []
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            faults.append(f"{where}: {len(value)} items")
        for i, item in enumerate(value):
            faults += self.faults(item, schema.get("items", True), f"{where}[{i}]")
        return faults


class Document:
    """docs/openapi.json: every answer that the tests get is what it says."""

    def __init__(self):
        document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
        self.schema = Schema(document)
        self.operations = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), method.upper(), operation)
                           for path, item in document["paths"].items() for method, operation in item.items()]
        self.operations.sort(key=lambda row: row[0].pattern.count("[^/]+"))  # plain words go first

    def check(self, method, path, answer):
        operation = next(o for pattern, m, o in self.operations if m == method and pattern.fullmatch(path))
        response = operation["responses"].get(str(answer.status))
        assert response, f"{method} {path} answers {answer}, which is not documented"
        content = response.get("content", {}).get("application/json")
        faults = self.schema.faults(answer.json, content["schema"]) if content else []
        assert not faults, f"{method} {path} {answer}: {faults}"
