(* Theorem 1 of the paper: four features for targets in three dimensions. *)
From Coq Require Import Reals Lra Lia Psatz Machin.
Require Import Angles Lemma3 Vectors.
Local Open Scope R_scope.

(* Under a Gaussian law the error is the angle over pi. *)
Definition error n u v := angle n u v / PI.

(* Algorithm 1 on targets a: after m of them there are q features t. *)
Inductive algorithm1 n eps acc (a t : nat -> vec) : nat -> nat -> Prop :=
| start : algorithm1 n eps acc a t 0 0
| reused m q v : algorithm1 n eps acc a t m q ->
    in_span q t v -> nonzero n v -> error n (a m) v <= eps ->
    algorithm1 n eps acc a t (S m) q
| scratch m q : algorithm1 n eps acc a t m q ->
    (forall v, in_span q t v -> nonzero n v -> eps < error n (a m) v) ->
    nonzero n (t q) -> error n (a m) (t q) <= acc ->
    algorithm1 n eps acc a t (S m) (S q).

(* Four targets in three dimensions, then axes; one feature is off, by d. *)
Definition features L d i := match i with
  0 => vec4 1 0 0 0 | 1 => vec4 L 1 0 d | 2 => vec4 0 L 1 0
  | 3 => vec4 0 0 1 0 | _ => axis i end%nat.
Definition targets L := features L 0.
Definition basis L i := if Nat.ltb i 3 then targets L i else targets L (S i).

Section Stream.
Variables (n k : nat) (L d eps acc : R).
Hypotheses (Hk : (3 <= k < n)%nat) (HL : 1 <= L) (Hd : 1 + d ^ 2 <= L ^ 4 * d ^ 2).
Hypotheses (Hr : PI * eps < atan (1 / L)) (Ha : 0 <= d / L <= PI * acc).

Lemma nonzero_features x i : (i <= k)%nat -> nonzero n (features L x i).
Proof.
  intros H; destruct i as [|[|[|[|i]]]]; try (unfold nonzero; four; nra).
  apply nonzero_axis; lia.
Qed.

(* All targets lie in a space of k dimensions. *)
Lemma few_dimensions i : (i <= k)%nat -> in_span k (basis L) (targets L i).
Proof.
  intros H; assert (A : forall m, (m < k)%nat -> in_span k (basis L) (basis L m)).
  { intros m Hm; exists (axis m); intros j.
    symmetry; exact (dot_axis k m (fun i => basis L i j) Hm). }
  destruct i as [|[|[|[|i]]]];
    [apply (A 0%nat)|apply (A 1%nat)|apply (A 2%nat)| |apply (A (S (S (S i))))];
    try lia.
  exists (fun i => match i with
    0%nat => L ^ 2 | 1%nat => - L | 2%nat => 1 | _ => 0 end).
  intros j; rewrite (sum_few 3) by (try lia; intros [|[|[|i]]] ?; try lia; ring).
  destruct j as [|[|[|[|j]]]]; cbn -[IZR pow]; ring.
Qed.

(* The features are accurate. *)
Lemma accurate i : (i <= k)%nat -> angle n (targets L i) (features L d i) <= PI * acc.
Proof.
  intros H; apply Rle_trans with (atan (d / L)); [|eapply Rle_trans;
    [apply atan_le|]; lra].
  assert (L ^ 2 * (d / L) ^ 2 = d ^ 2) by (field; lra).
  apply angle_le; try apply nonzero_features; trivial; try lra;
    (destruct i as [|[|[|[|i]]]]; [unfold targets; four; nra..|]);
    cbn [features targets]; rewrite dot_axis by lia; unfold axis;
    rewrite Nat.eqb_refl; nra.
Qed.

(* Each target is too far from the features before it. *)
Lemma rejected i v : (i <= k)%nat -> in_span i (features L d) v -> nonzero n v ->
  atan (1 / L) <= angle n (targets L i) v.
Proof.
  intros Hi Hv Nv; pose proof (dot_more n v ltac:(lia)) as M.
  pose proof Hv as [c Hc]; unfold targets; destruct i as [|[|[|[|i]]]].
  - exfalso; unfold nonzero in Nv; rewrite (dot_zero n v) in Nv; [lra|exact Hc].
  - apply (lever _ _ _ _ (c 0%nat)); trivial; try lra; rewrite ?Hc in M; four;
      rewrite ?Hc; cbn; try ring; nra.
  - apply (lever _ _ _ _ (c 1%nat)); trivial; try lra; rewrite ?Hc in M; four;
      rewrite ?Hc; cbn; try ring.
    pose proof (pow2_ge_0 (c 0%nat + c 1%nat * L)).
    pose proof (pow2_ge_0 (c 1%nat * d)); nra.
  - (* the two levers: the height over e3 is - L d times the coordinate *)
    apply leans; trivial; try lra; [apply (nonzero_features 0 3); lia|].
    rewrite ?Hc in M; four; rewrite ?Hc; cbn -[IZR pow].
    set (x := c 1%nat) in *; set (y := c 2%nat) in *.
    set (W := (x + L * y) ^ 2 + (x * d) ^ 2).
    assert (D : (L * d * y) ^ 2 <= (1 + d ^ 2) * W).
    { pose proof (pow2_ge_0 ((1 + d ^ 2) * x + L * y)); unfold W; nra. }
    assert (W0 : 0 <= W) by (apply Rplus_le_le_0_compat; apply pow2_ge_0).
    assert (d1 : 0 < d ^ 2) by (pose proof (pow2_ge_0 d); pose proof (pow_lt L 4); nra).
    assert (d0 : 0 < d ^ 2 * L ^ 2) by (apply Rmult_lt_0_compat; nra).
    assert (y ^ 2 <= L ^ 2 * W).
    { apply Rmult_le_reg_l with (d ^ 2 * L ^ 2); trivial.
      apply Rle_trans with (L ^ 4 * d ^ 2 * W); [nra|right; ring]. }
    assert (W + y ^ 2 <= dot n v v).
    { unfold W; pose proof (pow2_ge_0 (c 0%nat + x * L)); lra. }
    apply Rle_trans with (L ^ 2 * (W + y ^ 2)); [nra|].
    apply Rmult_le_compat_l; [apply pow2_ge_0|lra].
  - apply right_angle; trivial; try lra; [apply (nonzero_features 0); lia|].
    cbn [features]; rewrite dot_axis by lia; apply (span_zero _ _ _ _ Hv).
    intros [|[|[|[|m]]]] Hm; trivial; cbn; unfold axis.
    destruct (Nat.eqb_spec (S (S (S (S i)))) (S (S (S (S m))))); [lia|trivial].
Qed.

Lemma all_rejected : forall m, (m <= S k)%nat ->
  algorithm1 n eps acc (targets L) (features L d) m m.
Proof.
  pose proof PI_RGT_0; induction m as [|m IH]; intros Hm; [apply start|].
  apply scratch; [apply IH; lia|..].
  - intros v Hv Nv; pose proof (rejected m v ltac:(lia) Hv Nv).
    unfold error; apply Rmult_lt_reg_r with PI; trivial.
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
  - apply nonzero_features; lia.
  - pose proof (accurate m ltac:(lia)).
    unfold error; apply Rmult_le_reg_r with PI; trivial.
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
End Stream.

Lemma PI_below : PI < 3.144.
Proof.
  destruct (PI_2_3_7_ineq 1) as [_ H].
  unfold tg_alt, PI_2_3_7_tg, Ratan_seq in H; cbn -[IZR] in H; lra.
Qed.

(* The book's four targets, with its numbers: eps = 1/1000, and the accuracy
   eps^2 / (10 pi k) that the constants c1 = 1, c2 = 1 + 1/(5 pi) ask for. *)
Theorem four_targets : let eps := 1 / 1000 in let acc := eps ^ 2 / (10 * PI * 3) in
  algorithm1 4 eps acc (targets 318) (features 318 (1 / 100000)) 4 4 /\
  forall i, (i < 4)%nat -> nonzero 4 (targets 318 i) /\
    in_span 3 (basis 318) (targets 318 i).
Proof.
  intros eps acc; pose proof PI_RGT_0; split.
  - apply (all_rejected 4 3); try lia; try lra; [unfold eps|].
    + pose proof (atan_ge (1 / 318)); pose proof PI_below; lra.
    + replace (PI * acc) with (eps ^ 2 / 30) by (unfold acc; field; lra).
      unfold eps; lra.
  - intros i Hi; split; [apply (nonzero_features 4 3)|apply (few_dimensions 4 3)];
      lia || lra.
Qed.
Print Assumptions four_targets.
