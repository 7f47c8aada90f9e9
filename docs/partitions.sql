-- From one "Settlement" table to one a month, without a pause: the plan of docs/scale.md, section 4. Not applied by any migration.

-- Release A: claims are kept beside the index, which still guards. New ones by trigger, old ones by range of ids.
CREATE TABLE "IntentClaim" ("intentKey" bytea PRIMARY KEY, "settlementId" uuid NOT NULL, "until" timestamptz NOT NULL);
CREATE TRIGGER "Settlement_claim_insert" AFTER INSERT ON "Settlement" FOR EACH ROW EXECUTE FUNCTION "Settlement_claim"();  -- ON CONFLICT DO NOTHING
CREATE TRIGGER "Settlement_claim_freed" AFTER UPDATE OF "state" ON "Settlement" FOR EACH ROW                                -- deletes it
  WHEN (NEW."state" = 'REJECTED' AND OLD."state" <> 'REJECTED') EXECUTE FUNCTION "Settlement_claim"();
INSERT INTO "IntentClaim" SELECT "intentKey", "id", … FROM "Settlement" WHERE "state" <> 'REJECTED' AND "id" > $1 AND "id" <= $2
  FOR SHARE ON CONFLICT DO NOTHING;  -- FOR SHARE: one that is freed meanwhile must not leave its claim behind

-- Release B: the claim's statement asks the table first; both guards hold while A and B run side by side.
WITH …, taken AS (
  INSERT INTO "IntentClaim" SELECT "intentKey", "id", … FROM judged WHERE … ON CONFLICT ("intentKey") DO NOTHING RETURNING "settlementId"
), won AS (INSERT INTO "Settlement" (…) SELECT … FROM judged JOIN taken ON taken."settlementId" = judged."id" RETURNING "id") SELECT …;

-- Before the swap, without a lock that anybody feels: the old table will hold what begins before next month.
CREATE FUNCTION "uuid_at"(t timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS
  $$ SELECT rpad(lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;
ALTER TABLE "Settlement" ADD CONSTRAINT "before" CHECK ("id" < '<uuid_at of the next month>') NOT VALID;
ALTER TABLE "Settlement" VALIDATE CONSTRAINT "before";

-- The swap: tens of milliseconds, because constraint, indexes and foreign keys are there already.
BEGIN;
SET LOCAL lock_timeout = '2s';
-- drop the three foreign keys to "Settlement" (both rows are written by one statement) and its triggers
ALTER TABLE "Settlement" RENAME TO "Settlement_0";
ALTER INDEX "Settlement_pkey" RENAME TO "Settlement_0_pkey";
CREATE TABLE "Settlement" (LIKE "Settlement_0" INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE ("id");
-- primary key, the other indexes but the guard, foreign keys and triggers as before, and without the constraint "before"
ALTER TABLE "Settlement" ATTACH PARTITION "Settlement_0" FOR VALUES FROM (MINVALUE) TO ("uuid_at"('2026-12-01Z'));
CREATE TABLE "Settlement_2026_12" PARTITION OF "Settlement"
  FOR VALUES FROM ("uuid_at"('2026-12-01Z')) TO ("uuid_at"('2027-01-01Z')) WITH (fillfactor = 70);
COMMIT;

-- Taking a month off.
SELECT count(*) FROM "Settlement_2026_12" WHERE "state" NOT IN ('FINAL', 'REJECTED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED');  -- must be 0
ALTER TABLE "Step" DETACH PARTITION "Step_2026_12" CONCURRENTLY;  -- then SlotMember, SvmAttempt, Settlement
-- pg_dump --format=custom --table='"Settlement_2026_12"' …, restored once somewhere to be sure, and only then:
DROP TABLE "Step_2026_12", "SlotMember_2026_12", "SvmAttempt_2026_12", "Settlement_2026_12";
