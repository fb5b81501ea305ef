"""Orders, kept in a dictionary for as long as the process lives."""
from shop import errors


class Orders:
    def __init__(self):
        self._quantities = {}

    def place(self, number, quantity):
        if not isinstance(quantity, int) or not 1 <= quantity <= 999:
            raise errors.quantity_invalid(quantity)
        self._quantities[number] = quantity

    def quantity(self, number):
        if number not in self._quantities:
            raise errors.order_not_found(number)
        return self._quantities[number]
