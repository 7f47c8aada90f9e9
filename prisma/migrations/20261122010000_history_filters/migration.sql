-- CreateIndex
CREATE INDEX "History_ownerKind_ownerId_network_createdAt_id_idx" ON "History"("ownerKind", "ownerId", "network", "createdAt", "id");

-- What the schema language cannot say.

-- A resource by its hash: written out it may be too long for a key, and then its payment could not be recorded.
CREATE INDEX "History_owner_resource_idx" ON "History"("ownerKind", "ownerId", hashtextextended("resource", 0), "createdAt", "id");
