-- How many requests of a channel were charged. Null: not all of them were counted, as in channels older than this column.
ALTER TABLE "Channel" ADD COLUMN "requests" BIGINT;

-- Old instances raise the charge without the count, which is incomplete from then on.
CREATE FUNCTION "forgetRequests"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."requests" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "Channel_uncounted" BEFORE UPDATE OF "charged" ON "Channel" FOR EACH ROW
  WHEN (NEW."charged" > OLD."charged" AND NEW."requests" = OLD."requests") EXECUTE FUNCTION "forgetRequests"();
