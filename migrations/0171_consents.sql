-- Which version of a document holds, and which one each person agreed to.

CREATE TABLE document_versions (
  document   text NOT NULL,
  version    text NOT NULL,
  -- Of the words in every language.
  digest     bytea NOT NULL,
  since      timestamptz NOT NULL,
  is_current boolean NOT NULL,
  PRIMARY KEY (document, version)
);
CREATE UNIQUE INDEX document_versions_one_current ON document_versions (document) WHERE is_current;

CREATE TABLE consents (
  user_id  integer NOT NULL REFERENCES users (id),
  document text NOT NULL,
  version  text NOT NULL,
  -- `registration`, or `notice`: told of a change, and read on.
  given_by text NOT NULL CONSTRAINT consents_given_by CHECK (given_by IN ('registration', 'notice')),
  at       timestamptz NOT NULL,
  PRIMARY KEY (user_id, document, version),
  CONSTRAINT consents_version FOREIGN KEY (document, version) REFERENCES document_versions (document, version)
);
