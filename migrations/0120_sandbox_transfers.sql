-- A transfer to an address of the demo's gateway, with its confirmations; null for the page of a bank.
ALTER TABLE sandbox_payments ADD COLUMN confirmations integer;
