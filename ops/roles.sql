-- The service's role: it reads and writes rows and owns no table. Run it with psql 15 or later, as the owner of the tables,
-- in their database, with the role's password in the environment. A second run changes only the password:
--   SERVICE_PASSWORD=… psql "$MIGRATION_DATABASE_URL" --file=ops/roles.sql
\set ON_ERROR_STOP on
\getenv service_password SERVICE_PASSWORD

SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'quittance_service') AS is_new \gset
\if :is_new
CREATE ROLE quittance_service;
\endif
ALTER ROLE quittance_service LOGIN PASSWORD :'service_password';
-- History pages stop before the oldest writing transaction, also of other roles.
GRANT pg_read_all_stats TO quittance_service;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO quittance_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO quittance_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO quittance_service;
-- For tables of later migrations by the same owner.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO quittance_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO quittance_service;
