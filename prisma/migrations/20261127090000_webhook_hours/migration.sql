-- How many tries of each webhook succeeded and failed in each hour, for the bars of its last day
CREATE TABLE "WebhookHour" (
    "endpointId" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "good" INTEGER NOT NULL DEFAULT 0,
    "bad" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "WebhookHour_pkey" PRIMARY KEY ("endpointId","hour")
);

CREATE INDEX "WebhookHour_hour_idx" ON "WebhookHour"("hour");
