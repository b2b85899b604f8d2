-- An alarm looks each quarter of a minute whether money has come for people who have left.
CREATE INDEX users_erased ON users (id) WHERE erased_at IS NOT NULL;
