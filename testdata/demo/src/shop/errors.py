"""Errors that clients see, and their JSON bodies."""
import json


class ClientError(Exception):
    """A request that failed through no fault of ours."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message

    def body(self):
        return json.dumps({"code": self.code, "message": self.message})


def order_not_found(number):
    return ClientError(404, "ORDER_NOT_FOUND", f"There is no order {number}.")


def quantity_invalid(quantity):
    return ClientError(422, "QUANTITY_INVALID", f"{quantity} is not a whole number from 1 to 999.")
