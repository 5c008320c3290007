-- How far the carrier attests that the caller may use the number (STIR/SHAKEN): A full, B partial,
-- C gateway. Null: not reported.
alter table call add column stir_attestation text
	constraint call_stir_attestation check (stir_attestation in ('A', 'B', 'C'));
