import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

from shop import errors, orders


class PlacedOrders(unittest.TestCase):
    def test_quantity_is_kept(self):
        placed = orders.Orders()
        placed.place(1, 3)
        self.assertEqual(placed.quantity(1), 3)

    def test_unknown_order_is_refused_by_code(self):
        with self.assertRaises(errors.ClientError) as refused:
            orders.Orders().quantity(2)
        self.assertEqual(refused.exception.code, "ORDER_NOT_FOUND")


if __name__ == "__main__":
    unittest.main()
