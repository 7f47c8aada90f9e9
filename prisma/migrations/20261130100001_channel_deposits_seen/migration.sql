-- Alone, so that no other statement waits for the lock of the columns.
UPDATE "Channel" SET "heldAt" = CURRENT_TIMESTAMP WHERE "balance" > 0 OR "claimed" > 0 OR "presented" > 0 OR "charged" > 0;
