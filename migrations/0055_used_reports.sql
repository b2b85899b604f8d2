-- "This number is used already": who said so of which number, and from which report on nobody is sold it for that service.

CREATE TABLE used_reports (
  activation_id bigint PRIMARY KEY REFERENCES activations (id),
  user_id       integer NOT NULL REFERENCES users (id),
  service_code  text NOT NULL REFERENCES services (code),
  country_id    integer NOT NULL REFERENCES countries (id),
  phone         text NOT NULL,
  -- The supplier found it, so it counts against no buyer's limit.
  by_supplier   boolean NOT NULL,
  -- This report bars the number for everybody; else for its buyer alone.
  bars_all      boolean NOT NULL,
  reported_at   timestamptz NOT NULL,
  -- When staff put the number back on sale.
  lifted_at     timestamptz
);
CREATE INDEX used_reports_number ON used_reports (phone, service_code) WHERE lifted_at IS NULL;
CREATE INDEX used_reports_user ON used_reports (user_id, reported_at DESC) INCLUDE (service_code, country_id)
  WHERE NOT by_supplier;

-- Only a number that was burnt by reports alone may be put back on sale.
ALTER TABLE burnt_numbers ADD COLUMN reason text NOT NULL DEFAULT 'code'
  CONSTRAINT burnt_numbers_reason CHECK (reason IN ('code', 'used'));

INSERT INTO used_reports (activation_id, user_id, service_code, country_id, phone, by_supplier, bars_all, reported_at)
SELECT id, user_id, service_code, country_id, phone, false, true, ended_at FROM activations WHERE state = 'used';
UPDATE burnt_numbers b SET reason = 'used'
WHERE EXISTS (SELECT FROM used_reports r WHERE r.phone = b.phone AND r.service_code = b.service_code)
  AND NOT EXISTS (SELECT FROM messages m LEFT JOIN activations a ON a.id = m.activation_id
    LEFT JOIN rentals r ON r.id = m.rental_id
    WHERE m.phone = b.phone AND b.service_code IN (a.service_code, r.service_code));

-- Whether one more report of this buyer is accepted without the wait of a cancel: the last `in_a_row` reports had a code
-- between them, and of this pair there were fewer than `free_reports` or `free_percent` of its purchases within 24 hours.
--
-- VOLATILE on purpose, as purchase_limit_reached: it stands in the WHERE of the UPDATE that locks the buyer's account. A
-- report that waited there counts again, with what was committed meanwhile.
CREATE FUNCTION used_is_free(buyer integer, service text, country integer, asked_at timestamptz, free_reports integer,
  free_percent integer, in_a_row integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  since    timestamptz := asked_at - interval '24 hours';
  first_at timestamptz;
  reports  bigint;
  needed   bigint;
BEGIN
  SELECT reported_at INTO first_at FROM used_reports
  WHERE user_id = buyer AND NOT by_supplier AND reported_at > since
  ORDER BY reported_at DESC OFFSET in_a_row - 1 LIMIT 1;
  -- No number is its buyer's for longer than a day, so an earlier purchase had no code since.
  IF FOUND AND NOT EXISTS (SELECT FROM activations
    WHERE user_id = buyer AND created_at > first_at - interval '24 hours' AND first_code_at > first_at)
  THEN
    RETURN false;
  END IF;
  SELECT count(*) INTO reports FROM used_reports
  WHERE user_id = buyer AND NOT by_supplier AND reported_at > since AND service_code = service AND country_id = country;
  IF reports < free_reports THEN
    RETURN true;
  END IF;
  IF free_percent = 0 THEN
    RETURN false;
  END IF;
  -- Counted no further than it matters.
  needed := ((reports + 1) * 100 + free_percent - 1) / free_percent;
  RETURN needed <= (SELECT count(*) FROM (SELECT FROM activations
    WHERE user_id = buyer AND created_at > since AND service_code = service AND country_id = country
      AND state NOT IN ('reserving', 'failed') LIMIT needed) purchases);
END $$;
