-- When a deposit of a channel was first seen: one that never had any holds nobody's money. What is charged today may be of an earlier deposit.
ALTER TABLE "Channel" ADD COLUMN "heldAt" TIMESTAMPTZ(3);
-- While a refund that is signed here is on its way, no voucher above those that it saw is taken.
ALTER TABLE "Channel" ADD COLUMN "refundingUntil" TIMESTAMPTZ(3);

CREATE FUNCTION "noteDeposit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."heldAt" IS NULL AND (NEW."balance" > 0 OR NEW."claimed" > 0) THEN
    NEW."heldAt" := CURRENT_TIMESTAMP;
  END IF;
  -- Its nonce rises when a refund lands.
  IF TG_OP = 'UPDATE' AND NEW."refundNonce" <> OLD."refundNonce" THEN
    NEW."refundingUntil" := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Channel_deposit" BEFORE INSERT OR UPDATE ON "Channel" FOR EACH ROW EXECUTE FUNCTION "noteDeposit"();
