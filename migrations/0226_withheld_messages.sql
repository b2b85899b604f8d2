-- The message came to an order whose money had gone back: its buyer is not shown its words.
ALTER TABLE messages ADD COLUMN withheld boolean NOT NULL DEFAULT false;
