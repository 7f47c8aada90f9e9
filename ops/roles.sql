-- The role of the service: it reads and writes rows, and owns no table. Run by psql 15 or later, as the owner of the tables, in their
-- database, with its password in the environment; again changes nothing but the password:
--   SERVICE_PASSWORD=… psql "$MIGRATION_DATABASE_URL" --file=ops/roles.sql
\set ON_ERROR_STOP on
\getenv service_password SERVICE_PASSWORD

SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'quittance_service') AS is_new \gset
\if :is_new
CREATE ROLE quittance_service;
\endif
ALTER ROLE quittance_service LOGIN PASSWORD :'service_password';
-- Histories stop before the oldest transaction that is writing, also of other roles.
GRANT pg_read_all_stats TO quittance_service;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO quittance_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO quittance_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO quittance_service;
-- For the tables of later migrations, which this same owner makes.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO quittance_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO quittance_service;
