-- What waits is taken endpoint by endpoint: however much waits for one, nobody has to read through it to find another's.

-- What the schema language cannot say.
DROP INDEX "WebhookDelivery_due_idx";
CREATE INDEX "WebhookDelivery_waiting_idx" ON "WebhookDelivery"("endpointId", "nextAt", "id") INCLUDE ("ownerId") WHERE "state" = 'pending';
