-- Several keys of one merchant may be paid for a resource on one day.
ALTER TABLE "ResourceDay" DROP CONSTRAINT "ResourceDay_pkey",
    ADD CONSTRAINT "ResourceDay_pkey" PRIMARY KEY ("resourceId", "day", "part", "tenantId");
