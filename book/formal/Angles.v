(* Angles between vectors of R^n, bounded through their squares. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(* Vectors of R^n are functions on the natural numbers, read below n. *)
Definition vec := nat -> R.
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum m f + f m end.
Definition dot n (u v : vec) := sum n (fun j => u j * v j).
Definition nonzero n (u : vec) := 0 < dot n u u.
Definition angle n (u v : vec) :=
  acos (dot n u v / (sqrt (dot n u u) * sqrt (dot n v v))).

(* Angles through squares: no square root is ever computed. *)
Lemma acos_ge c x : 0 <= c <= PI -> x <= cos c -> c <= acos x.
Proof.
  intros Hc H; destruct (Rle_or_lt x (-1)) as [L|L].
  - unfold acos; destruct (Rle_dec _ _); lra.
  - apply Rnot_lt_le; intros C; pose proof (acos_bound x).
    apply cos_decreasing_1 in C; try lra.
    pose proof (COS_bound c); rewrite cos_acos in C; lra.
Qed.
Lemma acos_le c x : 0 <= c <= PI -> x <= 1 -> cos c <= x -> acos x <= c.
Proof.
  intros Hc H1 H; apply Rnot_lt_le; intros C; pose proof (acos_bound x).
  apply cos_decreasing_1 in C; try lra.
  pose proof (COS_bound c); rewrite cos_acos in C; lra.
Qed.
Lemma cos_atan_sqr x : 0 < cos (atan x) /\ cos (atan x) ^ 2 * (1 + x ^ 2) = 1.
Proof.
  pose proof (atan_bound x); split; [apply cos_gt_0; lra|].
  assert (0 < 1 + x ^ 2) by nra; rewrite cos_atan; unfold Rsqr, Rdiv.
  replace (x * x) with (x ^ 2) by ring.
  rewrite Rmult_1_l, pow_inv, pow2_sqrt by lra; field; lra.
Qed.
Lemma atan_range x : 0 <= x -> 0 <= atan x <= PI.
Proof.
  pose proof (atan_bound x); intros [H1|<-]; [|rewrite atan_0; lra].
  pose proof (atan_increasing _ _ H1) as H2; rewrite atan_0 in H2; lra.
Qed.

(* The first terms of the series of the arctangent enclose it. *)
Lemma rising f f' b : (forall x, is_derive f x (f' x)) ->
  (forall x, 0 <= f' x) -> 0 <= b -> f 0 <= f b.
Proof.
  intros D S [H|<-]; [|lra].
  destruct (MVT_cor2 f f' 0 b H) as (c & E & _).
  - intros x _; apply is_derive_Reals, D.
  - specialize (S c); nra.
Qed.
Lemma atan_le x : 0 <= x -> atan x <= x.
Proof.
  intros H; apply (rising (fun x => x - atan x) (fun x => x ^ 2 / (1 + x ^ 2)))
    in H; [rewrite atan_0 in H; lra | intros y..].
  - assert (0 < 1 + y ^ 2) by nra. auto_derive; trivial; field; lra.
  - assert (0 < / (1 + y ^ 2)) by (apply Rinv_0_lt_compat; nra). nra.
Qed.
Lemma atan_ge x : 0 <= x -> x - x ^ 3 / 3 + x ^ 5 / 5 - x ^ 7 / 7 <= atan x.
Proof.
  intros H; apply (rising (fun x => atan x - (x - x^3/3 + x^5/5 - x^7/7))
    (fun x => x ^ 8 / (1 + x ^ 2))) in H;
    [rewrite atan_0 in H; lra | intros y..].
  - assert (0 < 1 + y ^ 2) by nra. auto_derive; trivial; field; lra.
  - apply Rmult_le_pos; [replace (y ^ 8) with ((y ^ 4) ^ 2) by ring;
      apply pow2_ge_0 | left; apply Rinv_0_lt_compat; nra].
Qed.

Section Angles.
Variables (n : nat) (u v : vec) (x : R).
Hypotheses (Hu : nonzero n u) (Hv : nonzero n v) (Hx : 0 <= x).
Let P := sqrt (dot n u u) * sqrt (dot n v v).
Fact P_sqr : 0 < P /\ P ^ 2 = dot n u u * dot n v v.
Proof.
  unfold P; split.
  - apply Rmult_lt_0_compat; now apply sqrt_lt_R0.
  - rewrite Rpow_mult_distr, !pow2_sqrt; trivial; now apply Rlt_le.
Qed.

Lemma angle_ge : dot n u v ^ 2 * (1 + x ^ 2) <= dot n u u * dot n v v ->
  atan x <= angle n u v.
Proof.
  destruct P_sqr as [P0 <-], (cos_atan_sqr x) as [C0 C1]; intros H.
  apply acos_ge; [now apply atan_range|]; fold P.
  apply Rmult_le_reg_r with P; trivial.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rnot_lt_le; intros C; assert (0 < cos (atan x) * P) by nra.
  assert ((cos (atan x) * P) ^ 2 < dot n u v ^ 2) by nra.
  assert ((cos (atan x) * P) ^ 2 * (1 + x ^ 2) = P ^ 2) by
    (transitivity (cos (atan x) ^ 2 * (1 + x ^ 2) * P ^ 2);
      [ring | rewrite C1; ring]).
  nra.
Qed.

Lemma angle_le : 0 <= dot n u v ->
  dot n u v ^ 2 <= dot n u u * dot n v v <= dot n u v ^ 2 * (1 + x ^ 2) ->
  angle n u v <= atan x.
Proof.
  destruct P_sqr as [P0 <-], (cos_atan_sqr x) as [C0 C1]; intros H0 [H1 H2].
  assert (dot n u v <= P) by nra.
  assert (cos (atan x) * P <= dot n u v).
  { apply Rnot_lt_le; intros C.
    assert (dot n u v ^ 2 < (cos (atan x) * P) ^ 2) by nra.
    assert ((cos (atan x) * P) ^ 2 * (1 + x ^ 2) = P ^ 2) by
      (transitivity (cos (atan x) ^ 2 * (1 + x ^ 2) * P ^ 2);
        [ring | rewrite C1; ring]).
    nra. }
  apply acos_le; [now apply atan_range|..]; fold P;
    apply Rmult_le_reg_r with P; trivial;
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r; lra.
Qed.
End Angles.
