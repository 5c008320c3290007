alter table call drop column stir_attestation;
