-- What receivers of webhooks answered: the newest ones of each owner, as long as the deliveries themselves
CREATE TABLE "WebhookAnswer" (
    "deliveryId" UUID NOT NULL,
    "no" INTEGER NOT NULL,
    "ownerKind" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "good" BOOLEAN NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "text" TEXT NOT NULL,

    CONSTRAINT "WebhookAnswer_pkey" PRIMARY KEY ("deliveryId","no")
);

CREATE INDEX "WebhookAnswer_ownerKind_ownerId_good_at_idx" ON "WebhookAnswer"("ownerKind", "ownerId", "good", "at");

ALTER TABLE "WebhookAnswer" ADD CONSTRAINT "WebhookAnswer_deliveryId_no_fkey" FOREIGN KEY ("deliveryId", "no") REFERENCES "WebhookAttempt"("deliveryId", "no") ON DELETE CASCADE ON UPDATE CASCADE;
