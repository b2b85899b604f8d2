-- An unknown state with an empty text for its money was let in.
CREATE OR REPLACE FUNCTION is_activation(a activations) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN a.price_micros > 0 AND (a.phone IS NOT NULL OR a.state IN ('reserving', 'failed'))
    AND COALESCE(a.money = CASE
      WHEN a.state IN ('reserving', 'waiting') THEN 'held'
      WHEN a.state IN ('received', 'waiting_again', 'finished') THEN 'captured'
      WHEN a.state IN ('cancelled', 'expired', 'used', 'failed') THEN 'released' END, false);
END $$;
