-- What a wallet charges, apart from what its agent spends: each list and each figure of a merchant reads these rows in order. Their first
-- column is in no other index, because the planner would take an index that has the rows of the agent too.
CREATE INDEX "History_wallet_idx" ON "History"(("ownerKind" || ':' || "ownerId"), "createdAt", "id") WHERE "ownerKind" = 'wallet' AND "plan" <> 'agent';
CREATE INDEX "History_wallet_network_idx" ON "History"(("ownerKind" || ':' || "ownerId"), "network", "createdAt", "id") WHERE "ownerKind" = 'wallet' AND "plan" <> 'agent';
CREATE INDEX "History_wallet_failures_idx" ON "History"(("ownerKind" || ':' || "ownerId"), "createdAt", "id") WHERE NOT "success" AND "ownerKind" = 'wallet' AND "plan" <> 'agent';
CREATE INDEX "History_wallet_resource_idx" ON "History"(("ownerKind" || ':' || "ownerId"), hashtextextended("resource", 0), "createdAt", "id") WHERE "ownerKind" = 'wallet' AND "plan" <> 'agent';
