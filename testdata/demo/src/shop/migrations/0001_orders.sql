CREATE TABLE orders (
    number   bigint PRIMARY KEY,
    client   text NOT NULL,
    quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 999)
);
