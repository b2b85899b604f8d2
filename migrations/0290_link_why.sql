-- Why a supplier's link is down, or why the supplier could not be started, as it was last seen.
ALTER TABLE suppliers ADD COLUMN link_why text;
