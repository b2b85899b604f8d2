-- What a message of a service is known by: senders, brand words, domains, hashes of apps, prefixes of codes.
-- `common`: also an ordinary word. `weak`: a hint. `known`: seen on real messages, or said by staff.
-- `removed`: staff took it away, and no later seed brings it back.
CREATE TABLE service_signs (
  service_code text NOT NULL CONSTRAINT service_signs_service REFERENCES services (code),
  kind         text NOT NULL CONSTRAINT service_signs_kind CHECK (kind IN ('sender', 'word', 'domain', 'hash', 'prefix')),
  value        text NOT NULL CONSTRAINT service_signs_value CHECK (length(value) BETWEEN 1 AND 64),
  strength     text NOT NULL CONSTRAINT service_signs_strength CHECK (strength IN ('proven', 'common', 'weak')),
  source       text NOT NULL CONSTRAINT service_signs_source CHECK (source IN ('seed', 'staff', 'learnt')),
  known        boolean NOT NULL,
  removed      boolean NOT NULL DEFAULT false,
  PRIMARY KEY (service_code, kind, value)
);

-- Senders whose messages belong to nobody: notices of mobile operators, and what staff add.
CREATE TABLE ignored_senders (
  sender  text PRIMARY KEY CONSTRAINT ignored_senders_sender CHECK (length(sender) BETWEEN 1 AND 64),
  source  text NOT NULL CONSTRAINT ignored_senders_source CHECK (source IN ('seed', 'staff')),
  removed boolean NOT NULL DEFAULT false
);
