-- Who owned a listing before its owner, so that this one hears of it
ALTER TABLE "Resource" ADD COLUMN "takenFrom" text;
