CREATE INDEX CONCURRENTLY orders_by_client ON orders (client);
