-- What a pre-order set aside, whatever became of it: the history joins it with what was bought.
CREATE INDEX charges_preorder ON charges (preorder_id, id) WHERE preorder_id IS NOT NULL;
