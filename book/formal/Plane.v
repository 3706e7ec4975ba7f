(* The plane geometry of Lemma 2, in numbers. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Require Import Angles Scalar Lemma3 Vectors.
Local Open Scope R_scope.

(* The plane of p, b and t in numbers: |p|^2 = P, and b = x p + ..., t = y p + ...
   with parts orthogonal to p of squared lengths B, T and inner product D. *)
Lemma core P x y B T D c s2b s2a :
  let bb := B + x ^ 2 * P in let tt := T + y ^ 2 * P in
  let bt := D + x * y * P in let uu := P + 2 * c * (x * P) + c ^ 2 * bb in
  let s := c * D / T in let e := 1 + c * x - s * y in
  let ww := e ^ 2 * P + 2 * e * s * (y * P) + s ^ 2 * tt in
  0 < P -> 0 <= B -> 0 < T -> D ^ 2 <= B * T -> 0 < bb -> 0 <= s2a ->
  tt * s2b <= T -> bb * tt * s2a = bb * tt - bt ^ 2 ->
  (uu - ww) * s2b <= uu * s2a /\
  e * (P + c * (x * P)) + s * (y * P + c * bt) = ww.
Proof.
  intros bb tt bt uu s e ww HP HB HT HD Hbb Ha Hs E; split; [|
    unfold ww, e, s, bt, tt; field; lra].
  assert (Htt : 0 < tt) by (unfold tt; nra).
  replace (uu - ww) with (c ^ 2 * (B * T - D ^ 2) / T) by
    (unfold uu, ww, e, s, bb, tt; field; lra).
  set (K := B * T - D ^ 2); assert (HK : 0 <= c ^ 2 * K) by
    (apply Rmult_le_pos; [apply pow2_ge_0|unfold K; lra]).
  assert (N0 : 0 <= bb * tt * s2a) by (apply Rmult_le_pos; nra).
  assert (H2 : K * bb <= B * (bb * tt * s2a)).
  { rewrite E; apply Rminus_le_0.
    replace (_ - _) with (P * (B * y - D * x) ^ 2) by
      (unfold K, bb, tt, bt; ring).
    apply Rmult_le_pos; [lra|apply pow2_ge_0]. }
  assert (H3 : c ^ 2 * B <= uu).
  { apply Rminus_le_0; replace (_ - _) with (P * (1 + c * x) ^ 2) by
      (unfold uu, bb; ring). apply Rmult_le_pos; [lra|apply pow2_ge_0]. }
  apply Rmult_le_reg_r with (T * tt * bb); [repeat apply Rmult_lt_0_compat; lra|].
  replace (c ^ 2 * K / T * s2b * (T * tt * bb)) with
    (c ^ 2 * K * bb * (tt * s2b)) by (field; lra).
  apply Rle_trans with (c ^ 2 * K * bb * T); [apply Rmult_le_compat_l; nra|].
  replace (uu * s2a * (T * tt * bb)) with (T * (uu * (bb * tt * s2a))) by ring.
  replace (c ^ 2 * K * bb * T) with (T * (c ^ 2 * (K * bb))) by ring.
  apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (c ^ 2 * (B * (bb * tt * s2a))).
  - apply Rmult_le_compat_l; [apply pow2_ge_0|trivial].
  - rewrite <- Rmult_assoc; apply Rmult_le_compat_r; trivial.
Qed.

(* The last step: sin psi sin beta <= sin alpha, and the scalar inequality. *)
Lemma close n u w alpha beta : 0 <= alpha < beta -> beta <= PI / 2 ->
  nonzero n u -> nonzero n w -> 0 <= dot n u w ->
  (dot n u u * dot n w w - dot n u w ^ 2) * sin beta ^ 2
    <= dot n u u * dot n w w * sin alpha ^ 2 ->
  angle n u w <= PI / 2 * (alpha / beta).
Proof.
  intros L Hbeta Hu Hw H0 H; destruct (cos_angle n u w Hu Hw) as (P & P0 & P2 & E).
  set (psi := angle n u w) in *; pose proof (angle_range n u w) as R1; fold psi in R1.
  pose proof PI_RGT_0.
  assert (0 <= cos psi) by (apply Rmult_le_reg_r with P; lra).
  assert (psi <= PI / 2).
  { apply Rnot_lt_le; intros C; assert (cos psi < 0) by (apply cos_lt_0; lra); lra. }
  rewrite <- P2, E in H.
  assert (S1 : sin psi ^ 2 = 1 - cos psi ^ 2).
  { pose proof (sin2_cos2 psi) as Q; unfold Rsqr in Q; lra. }
  assert (0 <= sin psi /\ 0 <= sin beta /\ 0 <= sin alpha <= 1) as (? & ? & ?).
  { repeat split; try apply sin_ge_0; try apply SIN_bound; lra. }
  assert (S2 : sin psi * sin beta <= sin alpha).
  { apply Rnot_lt_le; intros C; assert (0 < P ^ 2) by nra.
    assert (sin alpha ^ 2 < (sin psi * sin beta) ^ 2) by nra.
    replace ((P ^ 2 - (cos psi * P) ^ 2) * sin beta ^ 2)
      with (P ^ 2 * (sin psi * sin beta) ^ 2) in H by
      (rewrite Rpow_mult_distr, S1; ring).
    nra. }
  pose proof (scalar_inequality psi beta) as K.
  assert (asin (sin psi * sin beta) <= alpha).
  { rewrite <- (asin_sin alpha) by lra.
    destruct S2 as [S2|S2]; [left|right; now rewrite S2].
    pose proof (SIN_bound psi); pose proof (SIN_bound beta).
    apply Rnot_le_lt; intros C; apply sin_incr_1 in C; try apply asin_bound.
    rewrite !sin_asin in C by nra; lra. }
  apply Rmult_le_reg_r with beta; [lra|].
  replace (PI / 2 * (alpha / beta) * beta) with (PI / 2 * alpha) by (field; lra).
  nra.
Qed.

(* t is at least beta away from p, and from -p. *)
Lemma far n k a t beta p : nonzero n t -> 0 < beta <= PI / 2 ->
  apart n t k a beta -> in_span k a p -> nonzero n p ->
  dot n t p ^ 2 <= cos beta ^ 2 * (dot n t t * dot n p p).
Proof.
  intros Ht Hbeta separated Hp Np; pose proof PI_RGT_0.
  assert (forall x, x = 1 \/ x = -1 -> x * dot n t p <= cos beta *
    sqrt (dot n t t * dot n p p)) as K.
  { intros x Hx; pose (q := fun j => x * p j + 0 * p j).
    assert (Nq : nonzero n q) by (unfold nonzero, q in *;
      rewrite dot_lin, !dot_lin_r; destruct Hx; subst; lra).
    assert (Hq : in_span k a q).
    { destruct (scaled k a x p Hp) as [c E]; exists c; intros j; rewrite <- E.
      unfold q; ring. }
    pose proof (separated q Hq Nq) as L.
    destruct (cos_angle n t q Ht Nq) as (P & P0 & P2 & E).
    assert (dot n q q = dot n p p) as Eq by (unfold q;
      rewrite dot_lin, !dot_lin_r; destruct Hx; subst; ring).
    assert (dot n t q = x * dot n t p) as Et by (unfold q; rewrite dot_lin_r; ring).
    rewrite <- Eq, <- P2, sqrt_pow2, <- Et, E by lra.
    apply Rmult_le_compat_r; [lra|].
    pose proof (angle_range n t q); destruct L as [L|<-]; [|lra].
    left; apply cos_decreasing_1; lra. }
  pose proof (K 1 (or_introl eq_refl)); pose proof (K (-1) (or_intror eq_refl)).
  assert (0 <= dot n t t * dot n p p) by
    (apply Rmult_le_pos; apply dot_pos).
  rewrite <- (pow2_sqrt (dot n t t * dot n p p)) by trivial.
  set (r := sqrt _) in *; nra.
Qed.
