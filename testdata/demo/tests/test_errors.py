import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

from shop import errors


class Errors(unittest.TestCase):
    def test_body_has_code_and_message(self):
        body = json.loads(errors.order_not_found(4711).body())
        self.assertEqual(body["code"], "ORDER_NOT_FOUND")
        self.assertIn("4711", body["message"])


if __name__ == "__main__":
    unittest.main()
