package postgres

// ownRole and useRole are the roles of a team's schema.
func (c Config) ownRole() string { return c.schema() + "_own" }
func (c Config) useRole() string { return c.schema() + "_use" }

// RolesSQL is what an administrator of the database runs once, before [Init]: a role that owns and migrates the schema
// of a team, and one that uses it. It can be run again.
func RolesSQL(c Config) string {
	schema, own, use := c.schema(), c.ownRole(), c.useRole()
	return `-- Run once by an administrator, in the database of the journal.
DO $$ BEGIN CREATE ROLE ` + own + ` NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE ` + use + ` NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
GRANT ` + own + ` TO CURRENT_USER; -- an administrator without all rights may give a schema only to a role of their own
CREATE SCHEMA IF NOT EXISTS ` + schema + ` AUTHORIZATION ` + own + `;
GRANT USAGE ON SCHEMA ` + schema + ` TO ` + use + `;
ALTER DEFAULT PRIVILEGES FOR ROLE ` + own + ` IN SCHEMA ` + schema + ` GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ` + use + `;

-- Then for whoever runs paydesk journal init, migrate and copy:
--   GRANT ` + own + ` TO …;
-- and for each colleague:
--   GRANT ` + use + ` TO …;
`
}
