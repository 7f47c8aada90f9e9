-- The oldest settlement of another payment on these terms that has not failed and whose outcome reached no request, no lookup and no webhook.
-- One such question is asked after the other until its transaction ends, and each sees what was committed before: of two claims at once
-- the second finds the first. There is one condition for each partial index on payers.
CREATE FUNCTION "unansweredCharge"(
  of_tenant UUID, of_caller TEXT, of_intent BYTEA, on_network TEXT, in_asset TEXT, by_payer TEXT, to_payee TEXT, for_resource TEXT,
  of_amount NUMERIC, of_maximum NUMERIC, within_seconds INT
) RETURNS UUID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  since TIMESTAMPTZ := now() - within_seconds * interval '1 second';
  found_id UUID;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(
    jsonb_build_array(of_tenant, of_caller, on_network, in_asset, by_payer, to_payee, for_resource, of_amount, of_maximum)::text, 0));
  SELECT s."id" INTO found_id FROM (
    SELECT * FROM "Settlement" s WHERE s."payer" = by_payer
      AND s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED') AND s."createdAt" > since
    UNION ALL
    SELECT * FROM "Settlement" s WHERE s."payer" = by_payer AND s."caller" = of_caller AND s."state" = 'FINAL' AND s."createdAt" > since
  ) s
  WHERE s."tenantId" = of_tenant AND s."caller" = of_caller AND s."intentKey" <> of_intent AND s."deliveredAt" IS NULL AND s."toldAt" IS NULL
    AND s."network" = on_network AND s."asset" = in_asset AND s."payTo" = to_payee AND s."resource" = for_resource
    AND s."amount" = of_amount AND s."maximum" IS NOT DISTINCT FROM of_maximum
    AND NOT EXISTS (
      SELECT 1 FROM "WebhookDelivery" w
      WHERE w."settlementId" = s."id" AND w."type" IN ('payment.settled', 'payment.finalized') AND w."state" = 'delivered')
  ORDER BY s."createdAt", s."id" LIMIT 1;
  RETURN found_id;
END $$;
