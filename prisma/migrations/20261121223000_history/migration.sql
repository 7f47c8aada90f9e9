-- A row's time is taken after its transaction can be seen to be under way, never before: pages end where nothing older can appear.
CREATE FUNCTION "History_now"() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN pg_current_xact_id() IS NOT NULL THEN clock_timestamp() END
$$;

-- AlterTable
ALTER TABLE "History" ALTER COLUMN "createdAt" SET DEFAULT "History_now"();

-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "scrubbedAt" TIMESTAMPTZ(3);

-- What the schema language cannot say.

-- Failures are few: without these a page of them would read through all that went well.
CREATE INDEX "History_owner_failures_idx" ON "History"("ownerKind", "ownerId", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_tenant_failures_idx" ON "History"("tenantId", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_payer_failures_idx" ON "History"("payer", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_failures_idx" ON "History"("createdAt", "id") WHERE NOT "success";

-- Settlements of keys that keep no history, until what safety does not need is gone from them.
CREATE INDEX "Settlement_unlogged_idx" ON "Settlement"("createdAt", "id") WHERE NOT "logged" AND "scrubbedAt" IS NULL;

-- Analytics: finished UTC days, summed up once.

-- CreateTable
CREATE TABLE "RollupDay" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "state" TEXT NOT NULL,

    CONSTRAINT "RollupDay_pkey" PRIMARY KEY ("tenantId","day")
);

-- CreateTable
CREATE TABLE "RollupFact" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "no" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "payTo" TEXT NOT NULL,
    "errorReason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "volume" DECIMAL(98,0) NOT NULL,

    CONSTRAINT "RollupFact_pkey" PRIMARY KEY ("tenantId","day","no")
);

-- CreateTable
CREATE TABLE "RollupPayer" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "network" TEXT NOT NULL,
    "payer" TEXT NOT NULL,

    CONSTRAINT "RollupPayer_pkey" PRIMARY KEY ("tenantId","day","network","payer")
);

-- CreateTable
CREATE TABLE "RollupCursor" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "day" DATE NOT NULL,

    CONSTRAINT "RollupCursor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AnalyticsEpoch" (
    "scope" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "AnalyticsEpoch_pkey" PRIMARY KEY ("scope")
);

-- CreateTable
CREATE TABLE "AnalyticsMemo" (
    "scope" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "endDate" DATE NOT NULL,
    "epoch" BIGINT NOT NULL,
    "answer" JSON NOT NULL,

    CONSTRAINT "AnalyticsMemo_pkey" PRIMARY KEY ("scope","days","network")
);

-- CreateIndex
CREATE INDEX "RollupFact_day_idx" ON "RollupFact"("day");

-- CreateIndex
CREATE INDEX "RollupPayer_day_idx" ON "RollupPayer"("day");

-- CreateIndex
CREATE INDEX "AnalyticsMemo_endDate_idx" ON "AnalyticsMemo"("endDate");

-- What the schema language cannot say.

-- Days that are to be summed up (again).
CREATE INDEX "RollupDay_dirty_idx" ON "RollupDay"("day", "tenantId") WHERE "state" = 'dirty';

-- The first day that nobody has looked at yet.
INSERT INTO "RollupCursor" ("day")
  SELECT (COALESCE(min("createdAt"), now()) AT TIME ZONE 'UTC')::date FROM "History";

-- Whatever was computed from an owner's finished days is not true any more, nor what was computed from everybody's.
CREATE FUNCTION "Analytics_changed"("ownerKind" text, "ownerId" text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "AnalyticsEpoch" AS e ("scope") VALUES ('owner:' || "ownerKind" || ':' || "ownerId")
    ON CONFLICT ("scope") DO UPDATE SET "epoch" = e."epoch" + 1;
  INSERT INTO "AnalyticsEpoch" AS e ("scope") VALUES ('all')
    ON CONFLICT ("scope") DO UPDATE SET "epoch" = e."epoch" + 1;
$$;

-- A row of a finished day that comes late, changes or goes: its day is summed up again. Once per transaction, however many rows. Whoever sums
-- a day up holds its row, so this waits for them and they see what was committed before.
CREATE FUNCTION "History_day"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed "History" := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO "RollupDay" AS d ("tenantId", "day", "state")
    VALUES (changed."tenantId", (changed."createdAt" AT TIME ZONE 'UTC')::date, 'dirty')
    ON CONFLICT ("tenantId", "day") DO UPDATE SET "state" = 'dirty' WHERE d."state" <> 'dirty' OR d.xmin <> pg_current_xact_id()::xid;
  IF FOUND THEN
    PERFORM "Analytics_changed"(changed."ownerKind", changed."ownerId");
  END IF;
  RETURN NULL;
END $$;
-- Rows of today, which are nearly all, cost a comparison.
CREATE TRIGGER "History_day_insert" AFTER INSERT ON "History" FOR EACH ROW
  WHEN ((NEW."createdAt" AT TIME ZONE 'UTC')::date < (clock_timestamp() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION "History_day"();
CREATE TRIGGER "History_day_update" AFTER UPDATE ON "History" FOR EACH ROW
  WHEN ((OLD."createdAt" AT TIME ZONE 'UTC')::date < (clock_timestamp() AT TIME ZONE 'UTC')::date
    AND (OLD."success", OLD."errorReason", OLD."amount") IS DISTINCT FROM (NEW."success", NEW."errorReason", NEW."amount"))
  EXECUTE FUNCTION "History_day"();
CREATE TRIGGER "History_day_delete" AFTER DELETE ON "History" FOR EACH ROW
  WHEN ((OLD."createdAt" AT TIME ZONE 'UTC')::date < (clock_timestamp() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION "History_day"();

-- A key whose flag changes leaves analytics, or comes back, whole.
CREATE FUNCTION "Tenant_flag"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "Analytics_changed"(NEW."ownerKind", NEW."ownerId");
  RETURN NULL;
END $$;
CREATE TRIGGER "Tenant_flag" AFTER UPDATE OF "historyEnabled" ON "Tenant" FOR EACH ROW
  WHEN (OLD."historyEnabled" <> NEW."historyEnabled") EXECUTE FUNCTION "Tenant_flag"();
