// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {PlainToken} from "./PlainToken.sol";
import {SignedToken} from "./SignedToken.sol";

/// @notice An ERC-20 with EIP-2612 and without EIP-3009: payments in it go through Permit2, and a signature approves that.
contract PermitToken is SignedToken {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address => uint256) public nonces;

    constructor(string memory tokenName, uint8 tokenDecimals) PlainToken(tokenName, tokenDecimals) {}

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "ERC20Permit: expired deadline");
        bytes memory message = abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline);
        require(isSigned(owner, message, v, r, s), "ERC20Permit: invalid signature");
        allow(owner, spender, value);
    }
}
