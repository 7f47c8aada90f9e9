-- Instances remember what a key opens. A change of a tenant or of its keys makes them read again, whoever makes it.
CREATE FUNCTION "Tenant_notice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('quittance', 'tenant ' || (to_jsonb(NEW) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;
CREATE TRIGGER "Tenant_notice" AFTER UPDATE ON "Tenant" FOR EACH ROW EXECUTE FUNCTION "Tenant_notice"('id');
CREATE TRIGGER "ApiKey_notice" AFTER UPDATE OF "revokedAt", "graceUntil" ON "ApiKey" FOR EACH ROW
  EXECUTE FUNCTION "Tenant_notice"('tenantId');
