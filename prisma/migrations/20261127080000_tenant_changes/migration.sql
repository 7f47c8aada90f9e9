-- The log of changes of a tenant: what changed, from which value to which, and who changed it.
CREATE TABLE "TenantChange" (
  "id" BIGSERIAL NOT NULL,
  "tenantId" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  "by" TEXT,
  "what" JSONB NOT NULL,

  CONSTRAINT "TenantChange_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "TenantChange_tenantId_id_idx" ON "TenantChange"("tenantId", "id");
ALTER TABLE "TenantChange" ADD CONSTRAINT "TenantChange_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A statement says here who makes its change. The triggers log it and empty the column, so that a later statement without it logs nobody.
ALTER TABLE "Tenant" ADD COLUMN "changedBy" TEXT;
ALTER TABLE "ApiKey" ADD COLUMN "changedBy" TEXT;

-- Nobody's changes can push another's out of the log.
CREATE FUNCTION "TenantChange_add"(tenant uuid, maker text, changed jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "TenantChange" ("tenantId", "by", "what") VALUES (tenant, maker, changed);
  DELETE FROM "TenantChange" WHERE "tenantId" = tenant AND "by" IS NOT DISTINCT FROM maker AND "id" <= (
    SELECT "id" FROM "TenantChange" WHERE "tenantId" = tenant AND "by" IS NOT DISTINCT FROM maker ORDER BY "id" DESC OFFSET 200 LIMIT 1
  );
$$;

-- Values are texts: a number of JSON would lose digits of an amount.
CREATE FUNCTION "Tenant_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb;
BEGIN
  SELECT jsonb_object_agg(n.key, jsonb_build_array(o.value, n.value)) INTO changed
    FROM jsonb_each_text(to_jsonb(OLD)) o JOIN jsonb_each_text(to_jsonb(NEW)) n ON n.key = o.key
    WHERE o.value IS DISTINCT FROM n.value AND n.key NOT IN ('version', 'changedBy');
  IF changed IS NOT NULL THEN
    PERFORM "TenantChange_add"(NEW."id", NEW."changedBy", changed);
  END IF;
  NEW."changedBy" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "Tenant_log" BEFORE UPDATE ON "Tenant" FOR EACH ROW EXECUTE FUNCTION "Tenant_log"();

-- The first secret comes with its tenant, which has the time itself.
CREATE FUNCTION "ApiKey_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  until timestamptz := LEAST(NEW."revokedAt", NEW."graceUntil");
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF EXISTS (SELECT 1 FROM "ApiKey" WHERE "tenantId" = NEW."tenantId") THEN
      PERFORM "TenantChange_add"(NEW."tenantId", NEW."changedBy", jsonb_build_object('secret', jsonb_build_array(NULL, NEW."prefix")));
    END IF;
  ELSIF until IS DISTINCT FROM LEAST(OLD."revokedAt", OLD."graceUntil") THEN
    PERFORM "TenantChange_add"(NEW."tenantId", NEW."changedBy", jsonb_build_object('secretUntil',
      jsonb_build_array(NEW."prefix", to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))));
  END IF;
  NEW."changedBy" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "ApiKey_log_insert" BEFORE INSERT ON "ApiKey" FOR EACH ROW EXECUTE FUNCTION "ApiKey_log"();
CREATE TRIGGER "ApiKey_log_update" BEFORE UPDATE OF "revokedAt", "graceUntil" ON "ApiKey" FOR EACH ROW EXECUTE FUNCTION "ApiKey_log"();
