-- What we hold at a supplier stands in `supplier_standings`, whatever its kind.
ALTER TABLE resell_accounts DROP COLUMN balance_micros, DROP COLUMN balance_at;
