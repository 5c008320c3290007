-- What the tokens of a call cost, by currency, until the carrier's price is known and both become the cost of the call.
-- An array of {"currency", "amount", "estimated"}; null: no price of tokens was known during the call.
alter table call_price_due add column model_costs jsonb;

alter table cost_total add column model numeric not null default 0; -- of the amount, what tokens cost
