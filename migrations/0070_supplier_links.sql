-- Whether messages of a supplier can reach us, as its server last said. null: it has no standing link, or never ran.
ALTER TABLE suppliers ADD COLUMN link_up boolean, ADD COLUMN link_changed_at timestamptz;
