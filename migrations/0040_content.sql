-- The words of articles and answers, for the search alone: the texts themselves are files. Filled at start.
CREATE TABLE content_texts (
  locale text NOT NULL CONSTRAINT content_texts_locale CHECK (locale IN ('ru', 'en')),
  path   text NOT NULL,
  kind   text NOT NULL CONSTRAINT content_texts_kind CHECK (kind IN ('article', 'answer')),
  title  text NOT NULL,
  body   text NOT NULL,
  words  tsvector NOT NULL,
  PRIMARY KEY (locale, path)
);
CREATE INDEX content_texts_words ON content_texts USING gin (words);
