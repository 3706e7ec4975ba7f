(* Theorem 1 of the paper: no constants make the count of features true. *)
From Coq Require Import Reals Lra Lia Psatz.
Require Import Angles Lemma3 Vectors Theorem1.
Local Open Scope R_scope.

(* The count of Theorem 1 for given n and k: some constants do for all small eps. *)
Definition Theorem1_count n k := exists c1 c2 e0, 0 < c1 < c2 /\ 0 < e0 /\
  forall eps acc a t b m q, 0 < eps <= e0 -> 0 < acc < eps ->
  2 * INR k * (acc / (c1 * eps)) + c1 * eps = c2 * eps ->
  (forall i, (i < m)%nat -> nonzero n (a i) /\ in_span k b (a i)) ->
  algorithm1 n eps acc a t m q -> (q <= k)%nat.

(* Whatever the constants, for all small eps: k + 1 features, if 3 <= k < n. *)
Theorem one_too_many n k c1 c2 : (3 <= k < n)%nat -> 0 < c1 < c2 ->
  exists e0, 0 < e0 /\ forall eps acc, 0 < eps <= e0 ->
  2 * INR k * (acc / (c1 * eps)) + c1 * eps = c2 * eps ->
  0 < acc < eps /\ exists a t b,
  (forall i, (i < S k)%nat -> nonzero n (a i) /\ in_span k b (a i)) /\
  algorithm1 n eps acc a t (S k) (S k).
Proof.
  intros Hk Hc; assert (K : 3 <= INR k).
  { replace 3 with (INR 3) by (cbn; ring); apply le_INR; lia. }
  set (C := c1 * (c2 - c1) / (2 * INR k)).
  assert (C0 : 0 < C) by (apply Rdiv_lt_0_compat; nra).
  set (e0 := 3 * C / (250 * (1 + C) ^ 2)).
  assert (E : 0 < e0 <= 1 / 10 /\ 250 * e0 <= 3 * C /\ e0 * C <= 1 / 2).
  { assert (0 < e0) by (apply Rdiv_lt_0_compat; nra).
    assert (e0 * (250 * (1 + C) ^ 2) = 3 * C) by (unfold e0; field; nra).
    assert (0 < e0 * C) by nra; assert (0 < e0 * C * C) by nra.
    repeat split; try lra; apply Rmult_le_reg_r with C; lra. }
  exists e0; split; [lra|]; intros eps acc He H.
  assert (A : acc = C * eps ^ 2).
  { replace acc with (2 * INR k * (acc / (c1 * eps)) * c1 * eps / (2 * INR k)) by
      (field; lra).
    replace (2 * INR k * (acc / (c1 * eps))) with ((c2 - c1) * eps) by lra.
    unfold C; field; lra. }
  assert (B : 0 < acc /\ acc <= eps / 2).
  { assert (eps * C <= 1 / 2) by nra; rewrite A.
    split; [apply Rmult_lt_0_compat|]; nra. }
  split; [lra|].
  set (L := 1 / (5 * eps)); set (d := 3 * acc / (5 * eps)).
  assert (HL : 1 <= L) by
    (apply Rmult_le_reg_r with (5 * eps); [lra|unfold L; field_simplify; lra]).
  exists (targets L), (features L d), (basis L); split.
  - intros i Hi; split; [apply (nonzero_features n k)|apply (few_dimensions n k)];
      lia || lra.
  - pose proof PI_below; pose proof PI2_3_2; apply (all_rejected n k); trivial.
    + set (r := 3 * C / (125 * eps)); assert (2 <= r).
      { apply Rmult_le_reg_r with (125 * eps); [lra|unfold r; field_simplify; lra]. }
      replace (L ^ 4 * d ^ 2) with (r ^ 2) by
        (unfold L, d, r; rewrite A; field; lra).
      assert (0 <= d <= 1); [|nra].
      split; apply Rmult_le_reg_r with (5 * eps);
        try (unfold d; field_simplify); lra.
    + replace (1 / L) with (5 * eps) by (unfold L; field; lra).
      pose proof (atan_more (5 * eps)); nra.
    + replace (d / L) with (3 * acc) by (unfold d, L; field; lra); nra.
Qed.

Theorem Theorem1_false n k : (3 <= k < n)%nat -> ~ Theorem1_count n k.
Proof.
  intros Hk (c1 & c2 & e0 & Hc & He & H).
  destruct (one_too_many n k c1 c2 Hk Hc) as (e1 & He1 & F).
  assert (K : 3 <= INR k).
  { replace 3 with (INR 3) by (cbn; ring); apply le_INR; lia. }
  set (eps := Rmin e0 e1); assert (M : 0 < eps) by now apply Rmin_glb_lt.
  pose proof (Rmin_l e0 e1) as M0; pose proof (Rmin_r e0 e1) as M1; fold eps in M0, M1.
  set (acc := c1 * (c2 - c1) * eps ^ 2 / (2 * INR k)).
  assert (E : 2 * INR k * (acc / (c1 * eps)) + c1 * eps = c2 * eps) by
    (unfold acc; field; lra).
  destruct (F eps acc (conj M M1) E) as (A & a & t & b & B & R).
  pose proof (H _ _ _ _ _ _ _ (conj M M0) A E B R); lia.
Qed.
Print Assumptions one_too_many.
Print Assumptions Theorem1_false.
