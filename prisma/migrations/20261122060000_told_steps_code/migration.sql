-- A told move has a code of its own: QT001 is that of a claim for which no credits are left. Instances of the version before hear no moves
-- of theirs from here on, until they are replaced: settlements go on, and the steps are in "Step".
CREATE OR REPLACE FUNCTION "Settlement_move"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW."state" <> 'CLAIMED' THEN
      RAISE EXCEPTION 'a settlement starts as CLAIMED, not %', NEW."state" USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO "Step" ("settlementId", "seq", "from", "to") VALUES (NEW."id", NEW."version", NULL, NEW."state");
    RAISE INFO '%', json_build_object('settlementId', NEW."id", 'network', NEW."network", 'tier', NEW."tier",
      'from', NULL, 'to', NEW."state", 'milliseconds', 0) USING ERRCODE = 'QT002';
  ELSIF NEW."state" <> OLD."state" THEN
    IF NOT EXISTS (SELECT 1 FROM "Move" m WHERE m."from" = OLD."state" AND m."to" = NEW."state") THEN
      RAISE EXCEPTION 'illegal settlement move % to %', OLD."state", NEW."state" USING ERRCODE = 'check_violation';
    END IF;
    NEW."version" := OLD."version" + 1;
    SELECT s."at" INTO since FROM "Step" s WHERE s."settlementId" = NEW."id" AND s."seq" = OLD."version";
    INSERT INTO "Step" ("settlementId", "seq", "from", "to") VALUES (NEW."id", NEW."version", OLD."state", NEW."state");
    RAISE INFO '%', json_build_object('settlementId', NEW."id", 'network', NEW."network", 'tier', NEW."tier",
      'from', OLD."state", 'to', NEW."state",
      'milliseconds', greatest(0, round(extract(epoch FROM clock_timestamp() - COALESCE(since, NEW."createdAt")) * 1000))) USING ERRCODE = 'QT002';
  END IF;
  RETURN NEW;
END $$;
