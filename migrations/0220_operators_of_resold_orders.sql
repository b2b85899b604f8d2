-- Suppliers whose operator we choose (docs/suppliers/five-sim.md): the one that was asked for, in the supplier's words; null: any.
ALTER TABLE resold_orders ADD COLUMN operator text;
-- What the supplier thinks of our account, where it tells; at 0 it sells nothing. In hundredths.
ALTER TABLE resell_accounts ADD COLUMN rating_hundredths integer;
