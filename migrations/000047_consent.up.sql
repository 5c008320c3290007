-- Where a consent comes from and until when it holds.
alter table recipient add column consent_source text, add column consent_expires_at timestamptz(3);
alter table call add column consent_source text, add column consent_expires_at timestamptz(3);

-- Recipients without a consent, with its date, are not called.
alter table organization add column consent_required boolean not null default false;
